import { defineConfig } from 'vitest/config'
import { tolkForVite } from '../server/build/tolk.mjs'

export default defineConfig({
  plugins: [tolkForVite],
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['node_modules/**'],
    // Two cores: two processes, so that workers of the TVM pool are not starved. A third one was not faster.
    pool: 'forks',
    maxWorkers: 2,
    // What is waited for comes when it comes: a busy machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    reporters: ['default'],
  },
})
