import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { projectFolder } from './project.ts'

export interface ChildProgram {
  /** The file that node runs. */
  readonly file: string
  remove(): void
}

/** Builds a program of the tests (`test/..-child.ts`), which a test runs as a process. */
export const buildChild = async (entry: string): Promise<ChildProgram> => {
  const folder = mkdtempSync(join(projectFolder, 'node_modules', '.tonway-test-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    await build({
      entryPoints: { child: join(projectFolder, entry) },
      ...{ outdir: folder, bundle: true, platform: 'node', target: 'node20.19', format: 'esm', packages: 'external', logLevel: 'warning' },
    })
    return { file: join(folder, 'child.js'), remove }
  } catch (error) {
    remove()
    throw error
  }
}
