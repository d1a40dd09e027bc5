-- The audit events of all nodes, to be searched. The files of each node are the record of them; nothing here is in an H2 database.

-- The log of each node, as far as it was followed. A data folder that was set back to an older state has a further row: it writes other
-- events under the same numbers.
create table audit_source (
  id integer generated always as identity primary key,
  -- The data folder, and the index and host that its node has now.
  instance varchar(64) not null,
  node integer not null,
  host varchar(255) not null,
  -- The number and the chain of the last event that is here, committed together with it.
  seq bigint not null,
  chain varchar(32) not null,
  -- The number of the last event that the node had written, and its time up to which events are here, by its own clock.
  written bigint not null,
  loaded_until timestamp with time zone not null,
  -- When the node has said so, by the clock of the database.
  told_at timestamp with time zone not null,
  stopped boolean not null,
  -- The time of the oldest event that should be in the archive of the node and is not.
  unarchived_since timestamp with time zone
);

create index audit_source_instance on audit_source (instance);

-- A partition a day (UTC), made and dropped by the program. The keys are the first 64 bits of the SHA-256 of what an event is found by:
-- values that people choose may be long, and may have characters that text has not. The line is that of the file, byte by byte.
create table audit_event (
  at timestamp with time zone not null,
  seq bigint not null,
  request_key bigint,
  person_key bigint,
  name_key bigint,
  partner_key bigint,
  address_key bigint,
  reason_key bigint,
  event_key bigint not null,
  realm_key bigint not null,
  source integer not null,
  -- Whether the partner is an OAuth client, and whether the event is of a kind that is too frequent for an index.
  is_client boolean not null,
  is_routine boolean not null,
  line bytea not null
) partition by range (at);

create index audit_event_at on audit_event (at);
create index audit_event_request on audit_event (request_key) where request_key is not null;
create index audit_event_person on audit_event (person_key, at) where person_key is not null;
create index audit_event_name on audit_event (name_key, at) where name_key is not null;
create index audit_event_partner on audit_event (partner_key, at) where partner_key is not null;
create index audit_event_address on audit_event (address_key, at) where address_key is not null;
create index audit_event_reason on audit_event (reason_key, at) where reason_key is not null;
create index audit_event_kind on audit_event (event_key, at) where not is_routine;

-- For people: where the log of which node says what.
create view audit_line as
  select e.at, s.node, s.host, e.source, e.seq, convert_from(e.line, 'UTF8') as line
  from audit_event e join audit_source s on s.id = e.source;
