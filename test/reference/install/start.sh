#!/usr/bin/env bash
# Installs the reference (pretix, from PyPI) in the folder GATEHOUSE_REFERENCE_CACHE, lays a fresh database from the one
# that was migrated there once, and serves it on the loopback until this script is ended. Prints what the tests need:
#   GATEHOUSE_REFERENCE_URL=http://127.0.0.1:PORT
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
: "${GATEHOUSE_REFERENCE_CACHE:?names the folder in which the reference is installed}"
version=2026.8.0
mkdir -p "$GATEHOUSE_REFERENCE_CACHE"
cd "$GATEHOUSE_REFERENCE_CACHE"
cache=$PWD

if [ ! -x venv/bin/gunicorn ]; then
  echo "installing pretix $version, which takes minutes" >&2
  "${PYTHON:-python3}" -m venv venv
  ./venv/bin/pip install --quiet "pretix==$version" gunicorn >&2
fi

port=${GATEHOUSE_REFERENCE_PORT:-8346}
mkdir -p data
cat >pretix.cfg <<END
[pretix]
url=http://127.0.0.1:$port
datadir=$cache/data
registration=off
ecb_rates=off
[locale]
default=en
timezone=UTC
[database]
backend=sqlite3
name=$cache/data/db.sqlite3
[mail]
from=reference@localhost
[django]
debug=off
secret=only-for-tests-on-the-loopback-interface-of-one-machine
END
export PRETIX_CONFIG_FILE=$cache/pretix.cfg DJANGO_SETTINGS_MODULE=reference_settings PYTHONPATH=$here

if [ ! -f migrated.sqlite3 ]; then
  echo "migrating its database, which takes minutes" >&2
  rm -f data/db.sqlite3*
  ./venv/bin/python -m pretix migrate --skip-checks >migrate.log 2>&1 || { tail -n 20 migrate.log >&2; exit 1; }
  ./venv/bin/python "$here/reference_organizers.py" "${GATEHOUSE_REFERENCE_ORGANIZERS:-1000}" >&2
  mv data/db.sqlite3 migrated.sqlite3
fi
rm -f data/db.sqlite3*
cp migrated.sqlite3 data/db.sqlite3

echo "GATEHOUSE_REFERENCE_URL=http://127.0.0.1:$port"
exec ./venv/bin/gunicorn pretix.wsgi --bind "127.0.0.1:$port" --workers 1 --worker-class gthread --threads 1 \
  --keep-alive 60 --timeout 120 --log-file server.log --capture-output
