import { TransactionRows } from '../account/transactions.tsx'
import { useCall } from '../base/call.ts'
import { blockIdText, groups, humanised, workchainText } from '../base/format.ts'
import { hrefOf } from '../base/router.ts'
import { ton } from '../base/service.ts'
import type { Block, BlockPosition } from '../base/types.ts'
import { Copyable } from '../parts/copy.tsx'
import { Card, Empty, EmptyCard, Facts, Heading, Loading, Table } from '../parts/layout.tsx'
import { Paged } from '../parts/paged.tsx'
import { Badge, BlockLink, CommittedBy, FullTime, Hash, MasterBlockLink, Time } from '../parts/values.tsx'

const ROWS = 25

const notes = (block: Block) =>
  [
    block.key_block && 'key block',
    block.after_merge && 'after a merge',
    block.after_split && 'after a split',
    block.before_split && 'before a split',
    block.want_merge && 'wants to merge',
    block.want_split && 'wants to split',
  ].filter((note): note is string => note !== false)

const Header = ({ of: block }: { readonly of: Block }) => (
  <Card>
    <Facts
      rows={{
        Time: <FullTime of={block.gen_utime} />,
        Transactions: `${groups(String(block.tx_count))}${block.workchain === -1 ? ' in the masterchain itself' : ''}`,
        'Previous block': block.prev_blocks.map((prev) => (
          <span key={prev.shard}>
            <BlockLink {...prev} />{' '}
          </span>
        )),
        'Committed by': block.workchain === -1 ? undefined : <CommittedBy seqno={block.masterchain_block_ref.seqno} />,
        'Logical time': (
          <span class="mono">
            {groups(block.start_lt)} – {groups(block.end_lt)}
          </span>
        ),
        Notes: notes(block).length === 0 ? undefined : notes(block).map((note) => <Badge key={note}>{note}</Badge>),
        'Last key block': <MasterBlockLink seqno={block.prev_key_block_seqno} />,
        'Global ID': String(block.global_id),
        'Root hash': <Hash of={block.root_hash} full />,
        'File hash': <Hash of={block.file_hash} full />,
        'Created by': (
          <>
            <Hash of={block.created_by} full />
            <br />
            <span class="dim">
              public key of a <a href={hrefOf('validators')}>validator</a>
            </span>
          </>
        ),
      }}
    />
  </Card>
)

const Shards = ({ seqno }: { readonly seqno: number }) => {
  const answer = useCall((signal) => ton.v3.masterchainBlockShards({ seqno, limit: 100 }, { signal }), ['shards', seqno])
  return (
    <Card title="Shard blocks that it commits">
      <Loading of={answer}>
        {({ blocks }) => (
          <Table
            label="Shard blocks"
            of={blocks.filter(({ workchain }) => workchain !== -1)}
            id={({ root_hash }) => root_hash}
            columns={{
              Workchain: ({ workchain }) => workchainText(workchain),
              Shard: ({ shard }) => <span class="mono">{shard}</span>,
              Block: (block) => <BlockLink {...block} brief />,
              'Its transactions': ({ tx_count }) => groups(String(tx_count)),
              Time: ({ gen_utime }) => <Time of={gen_utime} />,
            }}
            right={['Its transactions', 'Time']}
            empty="It commits no shard blocks."
          />
        )}
      </Loading>
    </Card>
  )
}

const Transactions = ({ workchain, shard, seqno }: BlockPosition) => {
  const load = (cursor: string, signal?: AbortSignal) => ton.v3.transactions({ workchain, shard, seqno, limit: ROWS, cursor }, { signal })
  return (
    <Card title={workchain === -1 ? 'Transactions in the masterchain' : 'Transactions'}>
      <Paged load={load} rows={({ transactions }) => transactions} deps={['block', workchain, shard, seqno]}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>
              {workchain === -1
                ? 'There are none in the masterchain itself. Those of the basechain are in the shard blocks above.'
                : 'There are no transactions in this block.'}
            </Empty>
          ) : (
            <TransactionRows withAccount rows={rows} />
          )
        }
      </Paged>
    </Card>
  )
}

const Neighbours = ({ of, workchain, shard, seqno }: BlockPosition & { readonly of: Block | undefined }) => {
  if (of === undefined) return null
  const before = of.prev_blocks.find((prev) => prev.shard === shard)
  return (
    <nav class="neighbours" aria-label="Neighbours">
      {before && (
        <a class="button" href={hrefOf('block', workchain, shard, before.seqno)}>
          ← Previous
        </a>
      )}
      <a class="button" href={hrefOf('block', workchain, shard, seqno + 1)}>
        Next →
      </a>
    </nav>
  )
}

export const BlockPage = ({ workchain, shard, seqno }: BlockPosition) => {
  const answer = useCall(
    async (signal) => (await ton.v3.blocks({ workchain, shard, seqno, limit: 1 }, { signal })).blocks[0] ?? null,
    ['block', workchain, shard, seqno],
  )
  return (
    <>
      <Heading title={humanised(`${workchainText(workchain)} block ${groups(String(seqno))}`)}>
        <Copyable class="dim" text={blockIdText(workchain, shard, seqno)} what="Copy the block id" />
        <Neighbours of={answer.data ?? undefined} {...{ workchain, shard, seqno }} />
      </Heading>
      <Loading of={answer} lines={8}>
        {(block) =>
          block === null ? (
            <EmptyCard>
              This block is not in the index.{' '}
              <button type="button" onClick={answer.again}>
                Look again
              </button>
            </EmptyCard>
          ) : (
            <>
              <Header of={block} />
              {workchain === -1 && <Shards seqno={seqno} />}
              <Transactions workchain={workchain} shard={shard} seqno={seqno} />
            </>
          )
        }
      </Loading>
    </>
  )
}
