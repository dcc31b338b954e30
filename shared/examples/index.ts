import type { MethodName } from '../registry.ts'
import { accountsExamples } from './accounts.ts'
import { blocksExamples } from './blocks.ts'
import { configExamples } from './config.ts'
import { documentsExamples } from './documents.ts'
import type { Examples } from './example.ts'
import { localExamples } from './local.ts'
import { runExamples } from './run.ts'
import { sendExamples } from './send.ts'
import { stakingExamples } from './staking.ts'
import { transactionsExamples } from './transactions.ts'
import { utilsExamples } from './utils.ts'
import { v3Examples } from './v3.ts'
import { assetsExamples } from './v3-assets.ts'

/** At least one call of every method: a method without an example does not compile. Read by the documents and the tests. */
export const examples: Examples<MethodName> = {
  ...accountsExamples,
  ...blocksExamples,
  ...transactionsExamples,
  ...runExamples,
  ...sendExamples,
  ...utilsExamples,
  ...configExamples,
  ...v3Examples,
  ...assetsExamples,
  ...stakingExamples,
  ...localExamples,
  ...documentsExamples,
}
