#!/usr/bin/env bash
# Installs the generators of clients that test/http/docs/generators.slow.test.ts runs, and the validator of manifests, into the folder that it looks in. What cannot be installed is left out:
# its tests then say that they were skipped. A second run installs nothing.
set -uo pipefail
to="${TONWAY_GENERATORS:-${TMPDIR:-/tmp}/tonway-generators-1}"
mkdir -p "$to"
cd "$to" || exit 1

# Each is made under another name first: what is there is whole.
python() {
  [ -e python ] && return
  command -v python3 >/dev/null || return 1
  rm -rf python.part
  python3 -m venv python.part &&
    python.part/bin/python -m pip install -q --disable-pip-version-check \
      openapi-python-client==0.29.1 httpx==0.28.1 attrs==26.1.0 python-dateutil==2.9.0.post0 \
      urllib3==2.7.0 pydantic==2.14.4 typing-extensions==4.16.0 &&
    mv python.part python
}

java_generator() {
  [ -e openapi-generator.jar ] && return
  command -v java >/dev/null && command -v mvn >/dev/null || return 1
  mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
    -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory="$to/jar" </dev/null &&
    mv jar/openapi-generator-cli-7.25.0.jar openapi-generator.jar
}

# The generator and what its clients need, each with its own schema-utils-js.
openrpc() {
  [ -e openrpc ] && return
  rm -rf openrpc.part
  mkdir -p openrpc.part/client
  echo '{"private":true}' | tee openrpc.part/package.json >openrpc.part/client/package.json
  npm install --prefix openrpc.part --silent --no-audit --no-fund @open-rpc/generator@1.22.3 @open-rpc/schema-utils-js@2.2.1 &&
    npm install --prefix openrpc.part/client --silent --no-audit --no-fund \
      @open-rpc/client-js@1.7.1 @open-rpc/meta-schema@1.14.2 @open-rpc/schema-utils-js@1.15.0 lodash@4.17.21 &&
    mv openrpc.part openrpc
}

# What test/deploy/kubernetes.test.ts validates manifests with.
kubernetes() {
  [ -e kubernetes ] && return
  command -v python3 >/dev/null || return 1
  rm -rf kubernetes.part
  python3 -m venv kubernetes.part &&
    kubernetes.part/bin/python -m pip install -q --disable-pip-version-check kubernetes-validate==1.37.0 &&
    mv kubernetes.part kubernetes
}

for each in python java_generator openrpc kubernetes; do
  "$each" || echo "not installed: $each"
done
exit 0
