import { execFileSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'
import { projectFolder } from './project.ts'

/* Threads, processes and packages are started from dist/. Vitest builds what is not up to date before the first file, and again before each run of its watch mode. */

const build = (): void => {
  execFileSync(process.execPath, ['server/build/build.mjs', 'client', 'package'], { cwd: projectFolder, stdio: 'inherit' })
}

export const setup = (project: TestProject): void => {
  build()
  project.onTestsRerun(build)
}
