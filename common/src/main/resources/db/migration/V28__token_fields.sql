-- What help desks write at a token.
alter table otp_token add column label varchar(64) default '' not null;
alter table otp_token add column note varchar(500) default '' not null;
