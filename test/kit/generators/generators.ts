import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/* Generators of clients, which test/kit/generators/install.sh installs. */

const run = promisify(execFile)

/** The number is raised with the versions in install.sh. */
const FOLDER = process.env['TONWAY_GENERATORS'] ?? join(tmpdir(), 'tonway-generators-1')

/** Paths of a generator's parts. */
export const generatorPath = (...path: readonly string[]): string => join(FOLDER, ...path)

export const PYTHON = generatorPath('python/bin/python')
export const hasPython = existsSync(PYTHON)
/** Validates manifests of Kubernetes. A module, because the scripts of a moved environment name the place where it was made. */
export const KUBERNETES_PYTHON = generatorPath('kubernetes/bin/python')
export const hasKubernetesValidate = existsSync(KUBERNETES_PYTHON)
export const hasJar = existsSync(generatorPath('openapi-generator.jar'))
export const hasOpenRpc = existsSync(generatorPath('openrpc'))

/** A test title, with the reason if it is skipped. */
export const orSkipped = (what: string, isThere: boolean): string =>
  isThere ? what : `${what}: skipped, not in ${FOLDER} (test/kit/generators/install.sh)`

/** Runs a command to its end. Throws with what it said. */
export const runIn = async (cwd: string, command: string, args: readonly string[]): Promise<string> => {
  try {
    const { stdout, stderr } = await run(command, args, { cwd, timeout: 600_000, maxBuffer: 64 << 20 })
    return stdout + stderr
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${command} ${args.join(' ')} failed:\n${(stdout + stderr).slice(-4000)}`, { cause: error })
  }
}

/**
 * Runs openapi-generator once for several generators, with little memory: what it needs depends on the document. Each client is in the folder `client` of its own.
 * A machine that is given up soon compiles only quickly: that takes a third of the processor time.
 */
export const runJar = async (cwd: string, folders: Readonly<Record<string, string>>): Promise<void> => {
  const configs = Object.entries(folders).map(([generatorName, to]) => ({
    file: `${generatorName}.json`,
    settings: { generatorName, inputSpec: join(to, 'openapi.json'), outputDir: join(to, 'client') },
  }))
  for (const { file, settings } of configs) await writeFile(join(cwd, file), JSON.stringify(settings))
  const machine = ['-Xmx384m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-jar', generatorPath('openapi-generator.jar')]
  await runIn(cwd, 'java', [...machine, 'batch', '--fail-fast', '--threads', '1', ...configs.map(({ file }) => file)])
}
