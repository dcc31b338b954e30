import { migration } from './statements.ts'

export const noDepartedChangesMigration = migration([
  // A revert no longer needs the last removed change of each account.
  'drop table departed_changes',
])
