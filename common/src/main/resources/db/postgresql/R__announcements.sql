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
