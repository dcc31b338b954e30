import { Fragment } from 'preact'
import { foldEmpty, rangeNumbers, rangesOf, rangesText } from '../base/block-rows.ts'
import { counted, groups, workchainText } from '../base/format.ts'
import { live, status } from '../base/live.ts'
import { useStore } from '../base/store.ts'
import type { Block } from '../base/types.ts'
import { Fitting } from '../parts/fitting-list.tsx'
import { Card, Table, Waiting } from '../parts/layout.tsx'
import { BlockLink, Time } from '../parts/values.tsx'

/** Number of rows that certainly fills the card. Rows that do not fit are hidden. */
const ROWS = 24

const ChainName = ({ of }: { readonly of: number }) => {
  const name = workchainText(of)
  const brief = name.replace(/chain$/, '')
  return (
    <>
      {brief}
      {brief !== name && <span class="rest">chain</span>}
    </>
  )
}

/** The chain of a block. For several empty blocks, the ranges of their seqnos. */
const Chain = ({ of }: { readonly of: readonly Block[] }) => {
  const [first] = of as [Block]
  if (of.length === 1) return <ChainName of={first.workchain} />
  return (
    <span class="dim" title={`${counted(of.length, 'empty block')}: ${rangesText(of)}`}>
      {rangesOf(of).map((range) => (
        <Fragment key={`${range.workchain}:${range.shard}`}>
          <ChainName of={range.workchain} /> {rangeNumbers(range)},{' '}
        </Fragment>
      ))}
      empty
    </span>
  )
}

/** The oldest block is the key, because it stays the same while a row of empty blocks grows. */
const keyOf = (of: readonly Block[]): string => {
  const { workchain, shard, seqno } = of.at(-1)!
  return `${workchain}:${shard}:${seqno}`
}

export const NewestBlocks = () => {
  const { blocks, state } = useStore(live)
  const serviceStatus = useStore(status)
  const waits = blocks.length === 0 && (serviceStatus === undefined || (serviceStatus.index !== undefined && state === 'connecting'))
  return (
    <Card title="Blocks" class="fixed">
      {waits ? (
        <Waiting lines={8} />
      ) : (
        <Fitting rows="tbody tr">
          <Table
            label="Newest blocks"
            compact
            of={foldEmpty(blocks).slice(0, ROWS)}
            id={keyOf}
            columns={{
              Block: ([first]) => <BlockLink workchain={first!.workchain} shard={first!.shard} seqno={first!.seqno} brief />,
              Chain: (of) => <Chain of={of} />,
              Txs: ([first]) => groups(String(first!.tx_count)),
              Time: ([first]) => <Time of={first!.gen_utime} clock="in a wide window" />,
            }}
            right={['Txs', 'Time']}
            empty={serviceStatus?.index ? 'There are no blocks yet.' : 'Blocks are listed where the index is on.'}
          />
        </Fitting>
      )}
    </Card>
  )
}
