// Builds the parts of the package `tonway` that the service does not need: declarations (dist/types) and entry points for CommonJS (dist/cjs). Declarations of
// the client are in the client's package, which is built first.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ENTRIES } from './programs.mjs'
import { isCurrent, stampOf } from './stamp.mjs'
import { compiler, DECLARATION_FLAGS } from './types.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Code that finds node's own `require`, which can load ES modules from version 20.19 on. Test runners such as jest replace `require` by one that cannot. Since
 * 30.5 jest also replaces the class `Module` by a subclass of node's class, so node's class is found in the prototype chain.
 */
const REQUIRE = `let Module = process.getBuiltinModule('node:module')
while (typeof Object.getPrototypeOf(Module)?.createRequire === 'function') Module = Object.getPrototypeOf(Module)
const require = Module.createRequire(__filename)`

/** Source of a CommonJS entry point. */
const shimOf = (name) => `'use strict'
{
${REQUIRE}
module.exports = require('../server/start/${name}.js')
}
`

/** jest's hooks are globals of each test file's context, which modules loaded by node cannot see. So this entry point runs inside jest's context. */
const JEST = `'use strict'
{
${REQUIRE}
const { createUseTonway } = require('../server/start/tonway.js')
exports.useTonway = (options) => createUseTonway(globalThis)(options)
}
`

const writeShims = () => {
  const place = join(root, 'dist/cjs')
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  for (const name of ENTRIES) writeFileSync(join(place, `${name}.cjs`), name === 'jest' ? JEST : shimOf(name))
}

/** Files in server/start whose declarations are part of the package. */
const DECLARED = [...ENTRIES, 'start', 'tests', 'types']

const writeTypes = (tsc) => {
  const place = join(root, 'dist/types')
  const work = join(root, `dist/.types-${process.pid}`)
  try {
    // All exports of these files have explicit types, so the compiler does not need to read their imports.
    const flags = [...DECLARATION_FLAGS, '--noCheck', '--noResolve', '--isolatedDeclarations', '--outDir', work]
    const files = DECLARED.map((name) => `server/start/${name}.ts`)
    const { status, stdout } = spawnSync(process.execPath, [tsc, ...flags, ...files], { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(`declarations of the package:\n${stdout}`)
    rmSync(place, { recursive: true, force: true })
    mkdirSync(place, { recursive: true })
    for (const name of DECLARED) {
      const text = readFileSync(join(work, `server/start/${name}.d.ts`), 'utf8')
      for (const [file, js] of [
        [`${name}.d.ts`, 'js'],
        [`${name}.d.cts`, 'cjs'],
      ])
        writeFileSync(
          join(place, file),
          text.replaceAll("'../../client/index.ts'", `'../client/types/index.${js}'`).replace(/(['"])(\.\/[^'"]+)\.ts\1/g, `$1$2.${js}$1`),
        )
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Builds these parts if they are not up to date. */
export const buildPackage = () => {
  const stamp = stampOf([
    'server/build/package.mjs',
    'server/build/types.mjs',
    'server/build/programs.mjs',
    'server/start',
    'client',
    '!client/page',
  ])
  const stampFile = join(root, 'dist/types/.stamp')
  if (isCurrent(stampFile, stamp)) return
  writeShims()
  const tsc = compiler()
  if (!tsc) throw new Error('a package needs declarations: typescript is not installed')
  writeTypes(tsc)
  writeFileSync(stampFile, stamp)
}
