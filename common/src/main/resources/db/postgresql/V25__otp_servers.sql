-- Servers that check one-time passwords together: one primary, and replicas whose databases are logical subscribers of the primary's.

-- One row: who is the primary. It reaches replicas as the tokens do. The epoch rises when a replica is nominated.
create table otp_primary (
  id smallint primary key check (id = 1),
  epoch bigint not null,
  server varchar(16) not null
);

-- One row, which the primary writes once a second. It reaches replicas as the tokens do: by it they know how old their copy is.
create table otp_heartbeat (
  id smallint primary key check (id = 1),
  beat_at timestamp with time zone not null
);

-- At the primary: what replicas have said about themselves.
create table otp_server (
  server varchar(16) primary key,
  epoch bigint not null,
  -- What is at the replica only: uses of tokens that the primary does not have yet, and marks that Valkey does not have yet.
  uses_waiting bigint not null,
  marks_waiting bigint not null,
  seen_at timestamp with time zone not null
);

-- At a replica: whom it follows, since which epoch, and whether everything was copied once.
create table otp_followed (
  id smallint primary key check (id = 1),
  epoch bigint not null,
  server varchar(16) not null,
  whole boolean not null
);

-- At a replica: uses of tokens that its rows do not have yet. They were brought to the primary, or wait for it.
create table otp_use (
  realm varchar(100) not null,
  serial varchar(64) not null,
  sealed_seed bytea not null,
  last_used bigint not null,
  drift integer not null,
  used_at timestamp with time zone not null,
  brought boolean not null,
  primary key (realm, serial)
);

create index otp_use_waiting on otp_use (realm, serial) where not brought;

-- Codes that counted while the marks of all servers could not be reached; compared with these marks later.
create table otp_isolated_mark (
  realm varchar(100) not null,
  issuer varchar(100) not null,
  id varchar(200) not null,
  marked_at timestamp with time zone not null,
  -- Whether it was begun to be compared: the mark that is found then may be this one.
  begun boolean not null,
  primary key (realm, issuer, id)
);

-- Wrong passcodes that were counted meanwhile.
create table otp_isolated_wrong (
  realm varchar(100) not null,
  person_id varchar(255) not null,
  wrong integer not null,
  locked_until timestamp with time zone,
  primary key (realm, person_id)
);

-- Wrong passcodes of people as this server counted them last: Valkey may have lost them, and the primary's row may not have them yet.
create table otp_count (
  realm varchar(100) not null,
  person_id varchar(255) not null,
  wrong integer not null,
  locked_until timestamp with time zone,
  brought boolean not null,
  changed_at timestamp with time zone not null,
  primary key (realm, person_id)
);

create index otp_count_waiting on otp_count (realm, person_id) where not brought;

-- What subscribers need: how a row without a primary key is found, and a value of the column that is each server's own.
alter table installation replica identity full;
alter table deployment alter column sequence set default 0;

-- What a replica does with a change that does not come from the primary. Its triggers fire for sessions, not for the subscription.
create or replace function gatehouse_replica() returns trigger language plpgsql as $$
begin
  raise exception 'this server is a replica of one-time passwords: change % at the primary', tg_table_name using errcode = '25006';
end $$;

-- A replica says in each of its sessions which primary it means. The database of a former one takes no change that means another.
create or replace function gatehouse_otp_epoch() returns trigger language plpgsql as $$
declare
  meant text := coalesce(current_setting('gatehouse.otp_primary', true), '');
begin
  if meant <> '' and not exists (select 1 from otp_primary where epoch || ' ' || server = meant) then
    raise exception 'this database is not that of the primary of one-time passwords (epoch and name: %)', meant using errcode = '55000';
  end if;
  return null;
end $$;

create trigger otp_epoch before insert or update or delete on otp_token for each statement execute function gatehouse_otp_epoch();
create trigger otp_epoch before insert or update or delete on otp_person for each statement execute function gatehouse_otp_epoch();
create trigger otp_epoch before insert or update or delete on otp_emergency for each statement execute function gatehouse_otp_epoch();
