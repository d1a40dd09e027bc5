-- At a replica: where it was in the log of a former primary when it began to follow the nominated one. PostgreSQL forgets its own note of
-- that when the subscription goes, also if that transaction does not end.
alter table otp_followed add column position bigint;

-- At a nominated server: where the slot of a replica begins. Nothing was read from it while it stands there.
alter table otp_follower add column slot_start bigint;
