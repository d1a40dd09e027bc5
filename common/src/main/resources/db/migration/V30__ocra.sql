-- The suite of a token that answers challenges (RFC 6287).
alter table otp_token add column suite varchar(64);
