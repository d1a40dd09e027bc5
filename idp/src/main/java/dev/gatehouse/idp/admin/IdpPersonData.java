package dev.gatehouse.idp.admin;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.db.MailOutbox;
import dev.gatehouse.common.db.PasswordResets;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.token.Authorizations;
import dev.gatehouse.idp.session.KnownDevices;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** What the identity provider stores about a person beside sessions, names and second factors. */
public final class IdpPersonData implements AdminResource.PersonData {

  private static final String CONSENTS = "consents";
  private static final String AUTHORIZATIONS = "authorizations";
  private static final String DEVICES = "devices";
  private static final String PASSKEYS = "passkeys";
  private static final String RESETS = "passwordResets";
  private static final String TOKENS = "tokens";
  private static final String MAILS = "waitingMails";

  private final Consents consents;
  private final Authorizations authorizations;
  private final KnownDevices devices;
  private final SecondFactors factors;
  private final Passkeys passkeys;
  private final PasswordResets resets;
  private final MailOutbox outbox;
  private final Tokens tokens;

  public IdpPersonData(
      Consents consents,
      Authorizations authorizations,
      KnownDevices devices,
      SecondFactors factors,
      Passkeys passkeys,
      PasswordResets resets,
      MailOutbox outbox,
      Tokens tokens) {
    this.consents = consents;
    this.authorizations = authorizations;
    this.devices = devices;
    this.factors = factors;
    this.passkeys = passkeys;
    this.resets = resets;
    this.outbox = outbox;
    this.tokens = tokens;
  }

  @Override
  public Map<String, List<Map<String, Object>>> ofPerson(String realm, AdminResource.PersonReference person) {
    PersonId id = new PersonId(person.id());
    Map<String, List<Map<String, Object>>> found = new LinkedHashMap<>();
    found.put(
        CONSENTS,
        consents.ofPerson(realm, id).stream()
            .map(
                consent ->
                    Map.<String, Object>of(
                        "partner", consent.partner(), "attributes", new TreeSet<>(consent.attributes()), "since", consent.since()))
            .toList());
    found.put(AUTHORIZATIONS, authorizations.ofPerson(realm, id).stream().map(IdpPersonData::entry).toList());
    // A browser has no name, only a random number that its cookie holds.
    found.put(DEVICES, Collections.nCopies(devices.count(realm, id), Map.of("kind", "known browser")));
    found.put(PASSKEYS, passkeys.of(realm, id).stream().map(IdpPersonData::entry).toList());
    found.put(
        RESETS,
        resets.ofPerson(realm, id).stream()
            .map(reset -> Map.<String, Object>of("since", reset.createdAt(), "expiresAt", reset.expiresAt()))
            .toList());
    found.put(
        TOKENS,
        tokens.of(realm, id).stream()
            .map(
                token ->
                    Map.<String, Object>of("serial", token.serial(), "kind", token.type().kind().name(), "state", token.state().name()))
            .toList());
    found.put(
        MAILS,
        outbox.ofPerson(realm, id).stream()
            .map(mail -> Map.<String, Object>of("kind", mail.kind(), "since", mail.createdAt()))
            .toList());
    return found;
  }

  private static Map<String, Object> entry(Passkeys.Passkey passkey) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("id", passkey.id());
    entry.put("label", passkey.label());
    entry.put("model", passkey.model().aaguid());
    entry.put("backedUp", passkey.state().backedUp());
    entry.put("since", passkey.createdAt());
    passkey.state().usedAt().ifPresent(at -> entry.put("usedAt", at));
    return entry;
  }

  private static Map<String, Object> entry(Authorization authorization) {
    return Map.of(
        "client", authorization.clientId(),
        "scopes", new TreeSet<>(authorization.grant().scopes()),
        "since", authorization.createdAt(),
        "expiresAt", authorization.expiresAt());
  }

  @Override
  public Map<String, Integer> erase(String realm, AdminResource.PersonReference person, String by) {
    PersonId id = new PersonId(person.id());
    AuditEvent.Context context = new AuditEvent.Context(realm, "-", Optional.empty());
    Map<String, Integer> removed = new LinkedHashMap<>();
    // First what acts in the person's name: it ends also while the database of the consents is away.
    int ended = authorizations.endAll(context, realm, id, Authorizations.End.ERASED);
    List<Consents.Consent> given = consents.ofPerson(realm, id);
    given.forEach(consent -> consents.revoke(realm, consent.partner(), id));
    removed.put(CONSENTS, given.size());
    removed.put(AUTHORIZATIONS, ended);
    removed.put(DEVICES, devices.count(realm, id));
    devices.forget(realm, id);
    factors.erase(realm, id);
    removed.put(PASSKEYS, passkeys.of(realm, id).size());
    passkeys.erase(realm, id);
    removed.put(TOKENS, tokens.of(realm, id).size());
    tokens.erase(realm, id);
    removed.put(RESETS, resets.remove(realm, id) ? 1 : 0);
    // The last one: what was removed before may have caused notices.
    removed.put(MAILS, outbox.removeAll(realm, id));
    return removed;
  }
}
