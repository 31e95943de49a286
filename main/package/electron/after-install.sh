#!/bin/sh
set -e
program='/opt/${sanitizedProductName}'
ln -sf "$program/${executable}" '/usr/bin/${executable}' ||
  { echo "gatehouse: /usr/bin/${executable} could not be made; see that the disk is not full or read-only, then install again" >&2; exit 1; }
# Chromium's sandbox needs user namespaces, or this program to be run as root.
if unshare --user true 2>/dev/null; then
  chmod 0755 "$program/chrome-sandbox" || true
else
  chmod 4755 "$program/chrome-sandbox" || true
fi
# Scanners that are plugged in already are given to whoever sits at the machine, too.
if [ -S /run/udev/control ]; then
  udevadm control --reload || true
  udevadm trigger --subsystem-match=hidraw --subsystem-match=usbmisc ||
    echo "gatehouse: unplug barcode scanners and plug them in again, so that the station may read them" >&2
fi
