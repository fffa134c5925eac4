for a in "$@" ; do
mvn -q -B dependency:get -Dartifact=$a -Dtransitive=false -Dmaven.repo.local=/tmp/w/chart.tmp/m2try > /tmp/w/chart.tmp/try.log 2>&1 && echo ok $a || { echo no $a; }
done
