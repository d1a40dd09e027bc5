-- Authenticator apps are tokens: one row each, under the identifier of the app as serial number, with the seed as it was sealed. Label and
-- date stay in second_factor, which nodes of the former version read and write until they are replaced.
insert into otp_token (realm, serial, kind, hash, digits, period, sealed_seed, state, person_id, last_used, drift, used_at)
select f.realm, f.factor_id, 'APP', 'SHA1', f.digits, 30, f.sealed_secret, 'ENABLED', f.person_id, coalesce(s.last_step, -1), 0, f.used_at
from second_factor f left join second_factor_state s on s.realm = f.realm and s.person_id = f.person_id;

-- Wrong codes of apps stay counted where they are, without an end by time: added to wrong passcodes, they would make locks that never end.
insert into otp_person (realm, person_id, new_pin, wrong_passcodes)
select distinct f.realm, f.person_id, false, 0
from second_factor f
where not exists (select 1 from otp_person p where p.realm = f.realm and p.person_id = f.person_id);
