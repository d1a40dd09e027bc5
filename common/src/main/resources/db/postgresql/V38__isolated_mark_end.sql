-- Until when a mark is kept: agents report weeks later what they decided alone. Empty if a node of the former version has made it.
alter table otp_isolated_mark add column ends_at timestamp with time zone;
