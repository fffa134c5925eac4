package clientlab.notebook.run

import clientlab.LabException

/** Another run is going on on this machine, and one at a time measures truly. */
public class RunGoingOn internal constructor(holder: String) :
    LabException("A run is going on already ($holder). One at a time measures truly: wait for it, or stop it.")
