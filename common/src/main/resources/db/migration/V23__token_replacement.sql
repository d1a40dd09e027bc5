-- The token that this one takes the place of, once a code of it has counted; until then both count.
alter table otp_token add column replaces varchar(64);
