package dev.gatehouse.gateway.console.person;

import dev.gatehouse.common.admin.AdminResource.SecondFactorView;
import dev.gatehouse.common.admin.PasskeyView;
import dev.gatehouse.gateway.admin.person.PersonEndpoint.PersonView;
import dev.gatehouse.gateway.admin.person.PersonEndpoint.WrongTriesView;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.console.Address;
import dev.gatehouse.gateway.console.person.PersonAccess.Found;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A step by which something of a person ends. */
enum AccessStep {
  /** Removes all authenticator apps and recovery codes. */
  SECOND_FACTOR,
  /** Removes one passkey. */
  PASSKEY,
  /** Ends an authorization with all its tokens. */
  AUTHORIZATION,
  /** Ends what a person agreed to release to a partner. */
  CONSENT,
  /** Forgets wrong passwords and codes. */
  UNLOCK,
  /** Ends a name or link at a partner. */
  FEDERATION,
  /** Removes the stored passwords for an app. */
  APP_SECRETS;

  /**
   * The part that ends.
   *
   * @param id of an authorization or passkey; the NameID of a name or link; the name of an app
   * @param kind of a name or link
   * @param partner of a name or link
   */
  record Part(String id, String kind, String partner) {

    Map<String, String> fields() {
      Map<String, String> fields = new TreeMap<>(Map.of("id", id, "kind", kind, "partner", partner));
      fields.values().removeIf(String::isEmpty);
      return fields;
    }
  }

  static final Part WHOLE = new Part("", "", "");

  /** Returns its name in addresses, texts and templates. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static AccessStep of(String word) {
    return Arrays.stream(values())
        .filter(step -> step.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new NotFound("There is no such step."));
  }

  /** Returns the address of the page that asks before the step is taken. */
  String askAddress(String realm, String person, Part part) {
    return Address.ofRealm(
        realm, PersonAccessPages.PATH + "/end",
        "name", person, "what", word(), "id", part.id(), "kind", part.kind(), "partner", part.partner());
  }

  /** Returns what would end, a line for each thing; none if there is nothing of it any more. */
  List<String> concerned(Found found, Part part) {
    Stream<String> lines =
        switch (this) {
          case SECOND_FACTOR -> found.secondFactor().stream().flatMap(AccessStep::factors);
          case PASSKEY -> found.passkeys().stream().filter(one -> one.id().equals(part.id())).map(AccessStep::named);
          case AUTHORIZATION ->
              found.authorizations().stream()
                  .filter(one -> one.id().equals(part.id()))
                  .map(one -> one.clientId() + ": " + String.join(" ", one.scopes()));
          case CONSENT ->
              found.person().stream()
                  .flatMap(person -> person.consents().stream())
                  .filter(one -> one.partner().equals(part.partner()))
                  .map(one -> one.partner() + ": " + String.join(", ", one.attributes()));
          case UNLOCK -> found.person().flatMap(PersonView::wrongTries).stream().flatMap(AccessStep::tries);
          case FEDERATION ->
              found.federations().stream()
                  .filter(one -> new Part(one.nameId(), one.kind(), one.partner()).equals(part))
                  .map(one -> one.partner() + ": " + one.nameId());
          case APP_SECRETS ->
              found.secrets().stream().filter(one -> one.app().equals(part.id())).map(one -> one.app() + ": " + one.name());
        };
    return lines.toList();
  }

  /** By the reasons of the audit log, which have no language. */
  private static Stream<String> tries(WrongTriesView tries) {
    return Stream.of(
            tries.passwords() > 0 ? "WRONG_PASSWORD: " + tries.passwords() : "",
            tries.codes() > 0 ? "WRONG_CODE: " + tries.codes() : "",
            tries.passcodes() > 0 ? "WRONG_PASSCODE: " + tries.passcodes() : "")
        .filter(text -> !text.isEmpty());
  }

  /** The person may have given it no name. */
  private static String named(PasskeyView passkey) {
    return passkey.label().isEmpty() ? passkey.id() : passkey.label();
  }

  /** Recovery codes have no names; the text of the question says that they end, too. */
  private static Stream<String> factors(SecondFactorView factor) {
    return factor.apps().isEmpty() && factor.recoveryCodes() > 0
        ? Stream.of("—")
        : factor.apps().stream().map(SecondFactorView.AuthenticatorApp::label);
  }
}
