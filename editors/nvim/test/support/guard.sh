#!/bin/sh
# Ends what was started in a directory, and takes the directory away, when its own input is closed:
# guard.sh DIRECTORY.
#
# The tests hold the other end of the input. However they end, it is closed then, even if they are
# killed and can clean nothing up. What runs is told by the files `pids` and `tmux` of the
# directory.
directory=$1
trap '' INT TERM HUP
cat > /dev/null
pids=$(cat "$directory/pids" 2> /dev/null)
if [ -S "$directory/tmux" ]; then
    pids="$pids $(tmux -S "$directory/tmux" list-panes -a -F '#{pane_pid}' 2> /dev/null)"
fi
# What these have started would end by itself, and could write into the directory until then.
for pid in $pids; do
    pids="$pids $(pgrep -P "$pid")"
done
# shellcheck disable=SC2086
kill -KILL $pids 2> /dev/null
[ ! -S "$directory/tmux" ] || tmux -S "$directory/tmux" kill-server 2> /dev/null
tries=50
until rm -rf "$directory" 2> /dev/null || [ "$tries" = 0 ]; do
    tries=$((tries - 1))
    sleep 0.1
done
