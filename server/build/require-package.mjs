// Loads CommonJS packages in ES modules (service.mjs).
import { createRequire } from 'node:module'

export const requirePackage = createRequire(import.meta.url)
