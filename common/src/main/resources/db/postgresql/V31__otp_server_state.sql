-- What replicas tell about themselves, for who administers them all at the primary. A replica of a former version tells neither.
alter table otp_server add column state varchar(16) not null default '';
alter table otp_server add column isolated_at timestamp with time zone;

-- At a nominated server: replicas that had exactly what it had. Each may go on with its copy, from a slot that was made before any change.
create table otp_follower (
  server varchar(16) primary key,
  epoch bigint not null,
  -- The end of the last transaction in the log of the former primary that both have.
  position bigint not null
);
