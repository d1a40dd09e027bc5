-- For the tokens that expire soon, which few of many do. No authentication changes the column.
create index otp_token_expiry on otp_token (realm, expires_at);
