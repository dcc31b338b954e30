import { existsSync, readdirSync } from 'node:fs'
import type { Body } from '../decode/hand-made.ts'

const files = readdirSync(new URL('.', import.meta.url))
  .map((name) => new URL(`${name}/bodies.ts`, import.meta.url))
  .filter((file) => existsSync(file))

/** The bodies that protocols have beside their tests, in NAME/bodies.ts: those of constructors that no second decoder reads. */
export const OWN_BODIES: readonly Body[] = (
  await Promise.all(files.map(async (file) => (await import(/* @vite-ignore */ file.href)) as { readonly bodies: readonly Body[] }))
).flatMap(({ bodies }) => bodies)
