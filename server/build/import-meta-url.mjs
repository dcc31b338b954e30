// Stands for `import.meta.url` in files of CommonJS.
import { pathToFileURL } from 'node:url'

export const importMetaUrl = pathToFileURL(__filename).href
