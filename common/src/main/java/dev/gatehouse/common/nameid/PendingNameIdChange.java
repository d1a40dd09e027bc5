package dev.gatehouse.common.nameid;

import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest.Change;
import java.util.Optional;

/**
 * A ManageNameIDRequest of ours whose response is expected by way of a browser.
 *
 * @param nameId the value before the change
 * @param newId empty for Terminate
 * @param back the address of ours to which the browser goes after the response, with {@code delivered} or {@code
 *     not-delivered} appended
 */
public record PendingNameIdChange(String realm, String partner, String nameId, Optional<String> newId, String back) {

  public Change change() {
    return newId.<Change>map(Change.NewId::new).orElseGet(Change.Terminate::new);
  }
}
