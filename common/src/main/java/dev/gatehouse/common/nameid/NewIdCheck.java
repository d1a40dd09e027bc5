package dev.gatehouse.common.nameid;

import dev.gatehouse.common.federation.PersistentNameId;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest.Change;
import java.util.Optional;

/** Checks that a NewID can be stored: printable, and not longer than a persistent name may be (SAML Core 8.3.7). */
final class NewIdCheck {

  private NewIdCheck() {}

  static Optional<SamlRefusal> check(ManageNameIdRequest request) {
    return switch (request.change()) {
      case Change.Terminate() -> Optional.empty();
      case Change.NewId(String value) ->
          value.length() > PersistentNameId.MAX_CHARACTERS
                  || value.codePoints().anyMatch(Character::isISOControl)
              ? Optional.of(new SamlRefusal(Reason.NEW_ID_UNUSABLE, "the NewID is too long or not printable"))
              : Optional.empty();
    };
  }
}
