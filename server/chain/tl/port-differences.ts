import type { BlockId, ShortBlockId } from '../../tlb/ids.ts'
import type { LiteAnswer, LiteArgs, LiteFunction, LookupArgs, TransactionRef } from '../liteserver.ts'
import type { TlObject } from './codec.ts'
import { TlError } from './error.ts'

/* Functions whose arguments or answers differ between the chain port and the schema: in the port the bits of `mode` are separate members. */

export interface Shape<F extends LiteFunction> {
  toWire?(args: LiteArgs<F>): TlObject
  fromWire?(wire: TlObject): LiteArgs<F>
  answerToWire?(answer: LiteAnswer<F>, request: TlObject): TlObject
  answerFromWire?(wire: TlObject): LiteAnswer<F>
}

const BY = { seqno: 1, lt: 2, utime: 4 } as const
const LIST = { id: 7, proof: 32, reverse: 64, after: 128 } as const
const TARGET = 1
const WITH_PROOF = 1
const OF_SHARD = 1
const DISPATCH = { after: 2, oneAccount: 2, withMessages: 4 } as const
const NO_BYTES = new Uint8Array(0)

const lookupToWire = ({ id, by }: LookupArgs): TlObject =>
  'seqno' in by ? { mode: BY.seqno, id } : 'lt' in by ? { mode: BY.lt, id, lt: by.lt } : { mode: BY.utime, id, utime: by.utime }

const lookupFromWire = (wire: TlObject): LookupArgs => {
  const id = wire['id'] as ShortBlockId
  switch ((wire['mode'] as number) & 7) {
    case BY.seqno:
      return { id, by: { seqno: true } }
    case BY.lt:
      return { id, by: { lt: wire['lt'] as bigint } }
    case BY.utime:
      return { id, by: { utime: wire['utime'] as number } }
    default:
      throw new TlError('exactly one of mode.0, mode.1 and mode.2 bits must be set')
  }
}

type ListArgs = LiteArgs<'listBlockTransactions'>

const listToWire = ({ id, count, after, reverse, wantProof }: ListArgs): TlObject => ({
  id,
  mode: LIST.id | (after ? LIST.after : 0) | (reverse ? LIST.reverse : 0) | (wantProof ? LIST.proof : 0),
  count,
  after,
})

const listFromWire = (wire: TlObject): ListArgs => {
  const after = wire['after'] as TransactionRef | undefined
  return {
    id: wire['id'] as BlockId,
    count: wire['count'] as number,
    ...(after && { after }),
    reverse: wire['reverseOrder'] === true,
    wantProof: wire['wantProof'] === true,
  }
}

type OfShard = LiteArgs<'getOutMsgQueueSizes'>

const shardToMode = ({ shard }: OfShard): TlObject => (shard ? { mode: OF_SHARD, ...shard } : { mode: 0 })
const shardFromMode = ({ workchain, shard }: TlObject): OfShard =>
  workchain === undefined ? {} : { shard: { workchain: workchain as number, shard: shard as bigint } }

/** On the wire a flag that is not set is absent. */
const withFlags = ({ mode: _, ...wire }: TlObject, flags: readonly string[]): TlObject => ({
  ...wire,
  ...Object.fromEntries(flags.map((flag) => [flag, wire[flag] === true])),
})

const { MAX_SAFE_INTEGER, MIN_SAFE_INTEGER } = Number

export const SHAPES: { readonly [F in LiteFunction]?: Shape<F> } = {
  lookupBlock: { toWire: lookupToWire, fromWire: lookupFromWire },
  lookupBlockWithProof: {
    toWire: (args) => ({ ...lookupToWire(args), mcBlockId: args.mcBlockId }),
    fromWire: (wire) => ({ ...lookupFromWire(wire), mcBlockId: wire['mcBlockId'] as BlockId }),
  },
  runSmcMethod: {
    toWire: (args) => ({ ...args, methodId: BigInt(args.methodId) }),
    fromWire(wire) {
      const methodId = BigInt.asIntN(64, wire['methodId'] as bigint)
      if (methodId > MAX_SAFE_INTEGER || methodId < MIN_SAFE_INTEGER) throw new TlError(`method id ${methodId} is out of range`)
      return { ...wire, methodId: Number(methodId) } as unknown as LiteArgs<'runSmcMethod'>
    },
  },
  listBlockTransactions: {
    toWire: listToWire,
    fromWire: listFromWire,
    answerToWire(answer, request) {
      const mode = (request['mode'] as number) & LIST.id
      return { ...answer, ids: answer.ids.map((each) => ({ mode, ...each })) }
    },
    answerFromWire(wire) {
      const ids = (wire['ids'] as readonly TlObject[]).map(({ account, lt, hash }) => {
        if (account === undefined || lt === undefined || hash === undefined)
          throw new TlError('a transaction id needs account, lt and hash')
        return { account, lt, hash }
      })
      return { ...wire, ids } as unknown as LiteAnswer<'listBlockTransactions'>
    },
  },
  listBlockTransactionsExt: { toWire: listToWire, fromWire: listFromWire },
  getBlockProof: {
    // Bit 0 means that a target is present. The bit is set from the arguments; the caller's mode bit is ignored.
    toWire: ({ from, target, mode = 0 }) => ({ mode: target ? mode | TARGET : mode & ~TARGET, from, target }),
    fromWire: (wire) => wire as unknown as LiteArgs<'getBlockProof'>,
  },
  getOutMsgQueueSizes: { toWire: shardToMode, fromWire: shardFromMode },
  'nonfinal.getPendingShardBlocks': { toWire: shardToMode, fromWire: shardFromMode },
  getDispatchQueueInfo: {
    toWire: ({ wantProof, ...rest }) => ({ mode: (wantProof ? WITH_PROOF : 0) | (rest.after ? DISPATCH.after : 0), ...rest }),
    fromWire: (wire) => withFlags(wire, ['wantProof']) as unknown as LiteArgs<'getDispatchQueueInfo'>,
    answerToWire: (answer, request) => ({ ...answer, mode: request['mode'] }),
    answerFromWire: ({ mode: _, ...answer }) => ({ proof: NO_BYTES, ...answer }) as unknown as LiteAnswer<'getDispatchQueueInfo'>,
  },
  getDispatchQueueMessages: {
    toWire: ({ wantProof, oneAccount, withMessages, ...rest }) => ({
      mode: (wantProof ? WITH_PROOF : 0) | (oneAccount ? DISPATCH.oneAccount : 0) | (withMessages ? DISPATCH.withMessages : 0),
      ...rest,
    }),
    fromWire: (wire) => withFlags(wire, ['wantProof', 'oneAccount', 'withMessages']) as unknown as LiteArgs<'getDispatchQueueMessages'>,
    answerToWire: (answer, request) => ({ ...answer, mode: request['mode'] }),
    answerFromWire: ({ mode: _, ...answer }) =>
      ({ proof: NO_BYTES, messagesBoc: NO_BYTES, ...answer }) as unknown as LiteAnswer<'getDispatchQueueMessages'>,
  },
  getBlockOutMsgQueueSize: {
    toWire: ({ id, wantProof }) => ({ mode: wantProof ? WITH_PROOF : 0, id }),
    fromWire: (wire) => ({ id: wire['id'] as BlockId, wantProof: wire['wantProof'] === true }),
    answerToWire: (answer, request) => ({ ...answer, mode: (request['mode'] as number) & WITH_PROOF }),
    answerFromWire: ({ id, size, proof }) => ({
      id: id as BlockId,
      size: size as bigint,
      proof: (proof as Uint8Array | undefined) ?? NO_BYTES,
    }),
  },
}
