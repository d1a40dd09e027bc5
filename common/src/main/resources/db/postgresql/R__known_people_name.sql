-- Help desks look for people by the beginning of their name, in any case.
create index if not exists otp_known_person_lower_name on otp_known_person (realm, lower(name) varchar_pattern_ops);
