-- Tells all nodes at commit what has changed: they need not ask for it each time.
create or replace function gatehouse_announce() returns trigger language plpgsql as $$
begin
  perform pg_notify('gatehouse', tg_argv[0]);
  return null;
end $$;

drop trigger if exists announce on configuration_in_use;
create trigger announce after insert or update or delete on configuration_in_use
  for each statement execute function gatehouse_announce('revision');

drop trigger if exists announce on key_file;
create trigger announce after insert or update or delete on key_file
  for each statement execute function gatehouse_announce('keys');

drop trigger if exists announce on node_switch;
create trigger announce after insert or update or delete on node_switch
  for each statement execute function gatehouse_announce('switches');

-- What nodes remember rows of. Insertions are not announced: nobody remembers that a row is missing.
drop trigger if exists announce on registered_client;
create trigger announce after update or delete or truncate on registered_client
  for each statement execute function gatehouse_announce('registered_client');

drop trigger if exists announce on persistent_name_id;
create trigger announce after update or delete or truncate on persistent_name_id
  for each statement execute function gatehouse_announce('persistent_name_id');

drop trigger if exists announce on account_link;
create trigger announce after update or delete or truncate on account_link
  for each statement execute function gatehouse_announce('account_link');
