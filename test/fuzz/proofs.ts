import { endSteps } from '../../server/base/yield.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { dictSet } from '../../server/cell/dict.ts'
import { type LiteAnswer, type LiteArgs, type LiteFunction, type LiteServer, LiteServerError } from '../../server/chain/liteserver.ts'
import { createAnswers } from '../../server/chain/local/answers/answers.ts'
import type { LocalChain } from '../../server/chain/local/local-chain.ts'
import { type AccountChecks, checkAccount } from '../../server/chain/proofs/account.ts'
import { checkConfig } from '../../server/chain/proofs/config.ts'
import { ProofError } from '../../server/chain/proofs/error.ts'
import { checkHeader, prevBlocksOf } from '../../server/chain/proofs/header.ts'
import { checkLibrariesWithProof } from '../../server/chain/proofs/libraries.ts'
import { checkBlockProof } from '../../server/chain/proofs/links.ts'
import { checkLookupWithProof } from '../../server/chain/proofs/lookup.ts'
import { checkShardLinks } from '../../server/chain/proofs/shard-links.ts'
import { checkAllShards, checkShardInfo } from '../../server/chain/proofs/shards.ts'
import { checkQueueSize } from '../../server/chain/proofs/state.ts'
import {
  checkBlockTransactions,
  checkBlockTransactionsExt,
  checkOneTransaction,
  checkTransactionChain,
} from '../../server/chain/proofs/transactions.ts'
import { createAccountChecks } from '../../server/chain/shared-account-checks.ts'
import { TlError } from '../../server/chain/tl/error.ts'
import { createLiteTl } from '../../server/chain/tl/lite-queries.ts'
import { type AccountId, type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../server/tlb/ids.ts'
import { meaning } from '../chain/kit.ts'
import { readData } from '../kit/data.ts'
import { createReplayStore } from '../kit/index/replay-store.ts'
import { createRandom } from '../kit/random.ts'

/*
 * Answers with proofs as they stand on the wire, one bit of them changed: each is refused, or it means what it meant. What a check lets through is
 * compared by all that it hands on; ids and counts that only echo the question are part of the bytes too.
 */

const tl = createLiteTl()
const { signal } = new AbortController()

export interface ProofCase {
  readonly name: string
  /** The answer in TL. */
  readonly bytes: Buffer
  /** What the answer says, as text; throws ProofError, TlError or LiteServerError for what is refused. */
  tell(bytes: Buffer): string
}

const caseOf = async <F extends LiteFunction>(
  name: string,
  source: Pick<LiteServer, 'query'>,
  fn: F,
  args: LiteArgs<F>,
  check: (answer: LiteAnswer<F>) => unknown,
): Promise<ProofCase> => {
  const answer = await source.query(fn, args, signal)
  const bytes = tl.decodeQuery(tl.encodeQuery(fn, args)).encodeAnswer(answer)
  return { name, bytes, tell: (changed) => meaning(check(tl.decodeAnswer(fn, changed))) }
}

const account = (workchain: number, digit: string): AccountId => ({ workchain, hash: new Uint8Array(Buffer.from(digit.repeat(64), 'hex')) })
const headerOf = ({ id, info }: ReturnType<typeof checkHeader>) => ({ id, info, prev: prevBlocksOf(info) })

/** Of mainnet's first two hundred masterchain blocks and their shard blocks, answered from the recorded blocks. */
export const recordedCases = async (): Promise<readonly ProofCase[]> => {
  const store = createReplayStore()
  const source = createAnswers({
    store,
    tvm: { runGetMethod: () => Promise.reject(new Error('not here')) },
    sendMessage: () => Promise.resolve(),
    clock: { now: () => 0 },
  })
  const rowOf = (workchain: number, seqno: number) => store.index.find((row) => row.workchain === workchain && row.seqno === seqno)!
  const master = (seqno: number): BlockId => store.idOf(rowOf(MASTERCHAIN, seqno))
  const head = store.head().id
  const [elector, config, nobody] = [account(MASTERCHAIN, '3'), account(MASTERCHAIN, '5'), account(0, '1')]
  const shard = store.idOf(rowOf(0, 100))
  const last = await source.query('getAccountState', { id: head, account: config }, signal)
  const { lastTransLt: lt, lastTransHash: hash } = endSteps(checkAccount(last, head, config))
  const history = { account: config, lt, hash, count: 4 }
  const list = { id: master(3), count: 5, wantProof: true }
  const one = { id: master(1), account: elector, lt: 2_000_003n }
  const lookup = (by: LiteArgs<'lookupBlock'>['by'], seqno = 0) => ({ id: { ...head, seqno }, by, mcBlockId: head })
  const by = [{ lt: 33_000_000n }, { utime: 1_573_822_600 }, { seqno: true as const }] as const
  const link = { from: master(60), target: master(61), mode: 0x1000 }
  const accountCase = (name: string, id: BlockId, of: AccountId) =>
    caseOf(name, source, 'getAccountState', { id, account: of }, (answer) => endSteps(checkAccount(answer, id, of)))
  return Promise.all([
    accountCase('account', head, elector),
    accountCase('account at an older block', master(77), config),
    accountCase('account that is not there, in a shard', head, nobody),
    caseOf('header', source, 'getBlockHeader', { id: master(50), mode: 0 }, ({ headerProof }) =>
      headerOf(checkHeader(headerProof, master(50))),
    ),
    caseOf('header of a shard block', source, 'getBlockHeader', { id: shard, mode: 0 }, ({ headerProof }) =>
      headerOf(checkHeader(headerProof, shard)),
    ),
    caseOf('all shards', source, 'getAllShardsInfo', { id: master(160) }, ({ proof, data }) => checkAllShards(proof, data, master(160))),
    caseOf('shard', source, 'getShardInfo', { id: head, workchain: 0, shard: WHOLE_SHARD, exact: false }, ({ shardProof }) => {
      const { shard: found } = checkShardInfo(shardProof, head, 0, WHOLE_SHARD, false)
      return found
    }),
    caseOf('transaction', source, 'getOneTransaction', one, (answer) => endSteps(checkOneTransaction(answer, one))?.hash()),
    caseOf('transactions of a block', source, 'listBlockTransactions', list, (answer) => checkBlockTransactions(answer, list)),
    caseOf('whole transactions of a block', source, 'listBlockTransactionsExt', list, (answer) =>
      endSteps(checkBlockTransactionsExt(answer, list)),
    ),
    // Without the block ids beside them, which are the server's word: nothing in a transaction names its block.
    caseOf('transactions of an account', source, 'getTransactions', history, (answer) =>
      endSteps(checkTransactionChain(answer, history)).map(({ transaction }) => transaction),
    ),
    caseOf('configuration', source, 'getConfigAll', { mode: 0, id: head }, (answer) => endSteps(checkConfig(answer, head)).root),
    caseOf('parameters', source, 'getConfigParams', { mode: 0, id: head, params: [34, 15] }, (answer) =>
      endSteps(checkConfig(answer, head)).root.hash(0),
    ),
    caseOf('block link', source, 'getBlockProof', link, (answer) => {
      endSteps(checkBlockProof(answer, link.from, link.target))
      return [answer.from, answer.to, answer.steps.map((step) => [step.type, step.from, step.to, step.toKeyBlock])]
    }),
    caseOf('links to a shard block', source, 'getShardBlockProof', { id: shard }, ({ masterchainId, links }) => {
      checkShardLinks(masterchainId, links, shard)
      // The rest of the masterchain block's id is proven by the chain of blocks that leads to it.
      return [masterchainId.rootHash, links.map(({ id }) => id)]
    }),
    ...by.map((each) => {
      const args = lookup(each, 'seqno' in each ? 120 : 0)
      return caseOf(`block by ${Object.keys(each)[0]}`, source, 'lookupBlockWithProof', args, (answer) =>
        headerOf(checkLookupWithProof(answer, args.id, each, head)),
      )
    }),
    // As a lite-server of mainnet answered, years later.
    recordedConfig(),
  ])
}

const recordedConfig = async (): Promise<ProofCase> => {
  const bytes = readData('recorded/liteserver-tl/tongo-get-last-config-all-2.bin')
  const { id } = tl.decodeAnswer('getConfigAll', bytes)
  const tell = (changed: Buffer): string => meaning(endSteps(checkConfig(tl.decodeAnswer('getConfigAll', changed), id)).root.hash(0))
  return { name: 'recorded configuration', bytes, tell }
}

/** What mainnet's first blocks do not have: public libraries, sizes of queues, accounts in a shard; of an embedded chain, which is given them. */
export const embeddedCases = async (local: LocalChain): Promise<readonly ProofCase[]> => {
  const code = beginCell().storeUint(0x8001, 16).end()
  const other = beginCell().storeUint(0x8002, 16).end()
  const library = dictSet(undefined, 256, BigInt(`0x${code.hashHex()}`), beginCell().storeBit(1).storeRef(code))
  const init = { balance: 10n ** 9n, code, data: beginCell().end(), library }
  await local.control.setAccount(account(MASTERCHAIN, 'e'), init, signal)
  const inShard = account(0, 'd')
  await local.control.setAccount(inShard, init, signal)
  await local.control.mine(2, signal)
  const { id } = local.head!()
  // What was proven for the right answer, which is the first, is not proven again for its mutants.
  const remembering = createAccountChecks()
  const accountCase = (name: string, checks?: AccountChecks) =>
    caseOf(name, local, 'getAccountState', { id, account: inShard }, (answer) => endSteps(checkAccount(answer, id, inShard, checks)))
  const hashes = [code.hash(), other.hash()]
  return Promise.all([
    caseOf('libraries', local, 'getLibrariesWithProof', { id, mode: 0, hashes }, (answer) =>
      endSteps(checkLibrariesWithProof(answer, id, hashes)),
    ),
    caseOf('size of a queue', local, 'getBlockOutMsgQueueSize', { id, wantProof: true }, (answer) => checkQueueSize(answer, id)),
    accountCase('account in a shard'),
    accountCase('account in a shard of which others were checked', remembering),
  ])
}

export interface MutantsResult {
  readonly refused: number
  /** Accepted with the same meaning. */
  readonly same: number
  /** Accepted with another one, or ended by what is no refusal: `case bit: reason`. */
  readonly findings: readonly string[]
}

const isRefusal = (error: unknown): boolean => error instanceof ProofError || error instanceof TlError || error instanceof LiteServerError

/** So many mutants, evenly over the cases; the same ones for the same seed. */
export const runMutants = (cases: readonly ProofCase[], count: number, seed: number): MutantsResult => {
  const random = createRandom(seed)
  const findings: string[] = []
  let [refused, same] = [0, 0]
  cases.forEach(({ name, bytes, tell }, i) => {
    const truth = tell(bytes)
    const own = Buffer.from(bytes)
    for (let left = Math.floor(count / cases.length) + (i < count % cases.length ? 1 : 0); left > 0; left -= 1) {
      const bit = random.below(own.length * 8)
      const mask = 128 >> (bit & 7)
      own[bit >> 3] = own[bit >> 3]! ^ mask
      try {
        if (tell(own) === truth) same += 1
        else findings.push(`${name} ${bit}: another meaning`)
      } catch (error) {
        if (isRefusal(error)) refused += 1
        else findings.push(`${name} ${bit}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`)
      }
      own[bit >> 3] = own[bit >> 3]! ^ mask
    }
  })
  return { refused, same, findings }
}
