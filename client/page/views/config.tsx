import { useState } from 'preact/hooks'
import { useCall } from '../base/call.ts'
import { ton } from '../base/service.ts'
import type { Answer } from '../base/types.ts'
import { ConfigValue } from '../config/fields.tsx'
import { fieldNames } from '../config/names.ts'
import { RolesContext, rolesOf } from '../config/roles.ts'
import { Listing } from '../parts/json.tsx'
import { Card, EmptyCard, Heading, Loading } from '../parts/layout.tsx'
import { hasWords, SearchField } from '../parts/search-field.tsx'
import { Badge } from '../parts/values.tsx'

type Param = Answer<'inspectConfig'>['params'][number]

const ParamCard = ({ of: { param, name, value, boc } }: { readonly of: Param }) => (
  <Card title={name ?? 'Without a known meaning'} side={<Badge>parameter {param}</Badge>}>
    {value === null || value === undefined ? (
      <p class="dim">{name === null ? 'Only its cell is known.' : 'It is not in the form that the schema of blocks gives it.'}</p>
    ) : (
      <ConfigValue param={param} of={value} />
    )}
    <Listing summary="As a BoC" text={boc} label={`parameter ${param}`} />
  </Card>
)

const textOf = ({ param, name, value }: Param): string => `${param} ${name ?? ''} ${fieldNames(value).join(' ')}`

export const ConfigPage = () => {
  const [filter, setFilter] = useState('')
  const answer = useCall((signal) => ton.inspectConfig({}, { signal }), ['config'])
  return (
    <>
      <Heading title="Configuration">
        <SearchField class="filter" label="Search parameters" placeholder="Filter by number or name" text={filter} change={setFilter} />
      </Heading>
      <Loading of={answer} lines={10}>
        {({ params }) => {
          const found = params.filter((param) => hasWords(textOf(param), filter))
          return found.length === 0 ? (
            <EmptyCard>No parameter has all of these words.</EmptyCard>
          ) : (
            <RolesContext.Provider value={rolesOf(params)}>
              <div class="params-list">
                {found.map((param) => (
                  <ParamCard key={param.param} of={param} />
                ))}
              </div>
            </RolesContext.Provider>
          )
        }}
      </Loading>
    </>
  )
}
