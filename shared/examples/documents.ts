import type { documents } from '../documents.ts'
import type { Examples } from './example.ts'

export const documentsExamples = {
  'rpc.discover': [{ title: 'the document', params: {} }],
} satisfies Examples<keyof typeof documents>
