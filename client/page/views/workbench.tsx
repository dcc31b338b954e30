import { useAbout } from '../base/value-lookups.ts'
import { Card, EmptyCard, Heading, Waiting } from '../parts/layout.tsx'
import { Blocks, Clock, Snapshots } from '../workbench/chain.tsx'
import { OfferedAddresses } from '../workbench/fields.tsx'
import { Deliver, Faucet, SendBoc, Transfer } from '../workbench/messages.tsx'
import { SetAccount, SetConfig } from '../workbench/state.tsx'
import { DeployCollection, DeployJetton } from '../workbench/tokens.tsx'
import { Wallets } from '../workbench/wallets.tsx'

/** The controls of the embedded chain. On other networks, only the forms that work on any network. */
export const WorkbenchPage = () => {
  const about = useAbout()
  return (
    <>
      <Heading title="Workbench" />
      {about === undefined ? (
        <Card>
          <Waiting />
        </Card>
      ) : about.local ? (
        <>
          <OfferedAddresses />
          <Wallets />
          <div class="columns even">
            <Faucet />
            <Transfer />
            <Blocks />
            <Clock />
            <Snapshots />
            <DeployJetton />
            <DeployCollection />
            <Deliver />
            <SendBoc />
            <SetAccount />
            <SetConfig />
          </div>
        </>
      ) : (
        <>
          <EmptyCard>The chain is controlled only where it is embedded, and only from the machine that it runs on.</EmptyCard>
          <SendBoc />
        </>
      )}
    </>
  )
}
