export { createAnswers } from './answers.ts'
export type { AnswersDeps } from './deps.ts'
