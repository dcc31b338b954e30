import type { Connection } from '../../store/postgres/connection.ts'

/*
 * A Citus cluster commits in two steps: its nodes prepare, the coordinator commits, and then each node commits. A node that is lost in between has the rows, but
 * does not show them until the coordinator has sent it the commit again. So a commit that was acknowledged is not yet what readers may see.
 */

/** Milliseconds of the pause between two looks, and after which no more looks are begun. */
const PAUSE_MS = 20
const PATIENCE_MS = 1_000

/** Transactions that are committed at the coordinator, while a node still has them prepared; also if a node does not answer. */
const UNFINISHED = `select from run_command_on_workers(
    'select coalesce(string_agg(gid, '',''), '''') from pg_prepared_xacts where database = current_database()') as node
  where not success or exists (select from pg_dist_transaction where gid = any(string_to_array(result, ',')))`

/**
 * A statement that ends when all nodes of a Citus cluster show what was committed before it, by this session or by another one. It has nodes commit what they have prepared. Fails
 * if a node has not after a second, because it cannot be reached. A look at a node that does not refuse but never answers takes as long as Citus waits for a connection. A user who may
 * not call `recover_prepared_transactions` gets the same failure until Citus has called it, once a minute. Elsewhere it does nothing. Run it after the commit, and before what makes the rows visible.
 */
export const FINISHED = `do $$ declare may boolean; until timestamptz := clock_timestamp() + interval '${PATIENCE_MS} ms'; begin
  if to_regproc('recover_prepared_transactions') is null then return; end if;
  may := has_function_privilege('recover_prepared_transactions()', 'execute');
  loop
    if may then
      perform recover_prepared_transactions();
      if not exists (select from pg_dist_transaction t join pg_dist_node n on n.groupid = t.groupid and n.isactive and n.noderole = 'primary') then
        return;
      end if;
    elsif not exists (${UNFINISHED}) then return;
    end if;
    exit when clock_timestamp() > until;
    perform pg_sleep(${PAUSE_MS / 1000});
  end loop;
  raise exception 'a commit is not finished on a remote node' using errcode = '08006';
end $$;`

/** Whether a database is a Citus cluster. Others need no check whether a commit is finished. */
export const isCluster = async ({ query }: Pick<Connection, 'query'>): Promise<boolean> => {
  const [row] = await query<{ is: boolean }>(`select to_regproc('recover_prepared_transactions') is not null as is`)
  return row?.is === true
}
