#!/bin/sh
set -e
# An upgrade has made the link of the new version already.
[ "$1" = upgrade ] || [ "$1" = 1 ] || rm -f '/usr/bin/${executable}'
