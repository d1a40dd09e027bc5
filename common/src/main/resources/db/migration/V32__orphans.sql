-- What was left of people without apps and tokens: recovery codes and counts of somebody who was erased before, and rows of those who
-- did not get a token in the end. Whoever has an app or token keeps everything. A replica of one-time passwords, and a primary that was
-- replaced, refuse changes of copied tables: their rows go with those of their primary.
delete from recovery_code
where not exists (select 1 from second_factor f where f.realm = recovery_code.realm and f.person_id = recovery_code.person_id);

delete from second_factor_state
where not exists (select 1 from second_factor f where f.realm = second_factor_state.realm and f.person_id = second_factor_state.person_id);

delete from otp_emergency
where not exists (select 1 from otp_token t where t.realm = otp_emergency.realm and t.person_id = otp_emergency.person_id)
  and not exists (
    select 1 from information_schema.triggers g where lower(g.trigger_name) = 'replica' and lower(g.event_object_table) = 'otp_emergency');

delete from otp_person
where not exists (select 1 from otp_token t where t.realm = otp_person.realm and t.person_id = otp_person.person_id)
  and not exists (
    select 1 from information_schema.triggers g where lower(g.trigger_name) = 'replica' and lower(g.event_object_table) = 'otp_person')
  and not exists (select 1 from second_factor f where f.realm = otp_person.realm and f.person_id = otp_person.person_id);
