package clientlab.notebook.run

import clientlab.*

/** Another run is going on on this machine, perhaps that of another [user], and concurrent runs disturb each other. */
public class RunGoingOn internal constructor(holder: String, user: String? = null) :
    LabException(
        if (user == null) {
            "A run is going on already ($holder). Concurrent runs disturb each other: wait for it, or stop it."
        } else {
            "Another user's run is going on already ($user: $holder). Concurrent runs disturb each other: wait for it, or ask $user to stop it."
        },
    )
