package dev.gatehouse.common.nameid;

import dev.gatehouse.common.saml.SamlMessage.ManageNameIdRequest.Change;
import java.util.Optional;

/**
 * A ManageNameIDRequest of ours whose answer is awaited by way of a browser.
 *
 * @param nameId the value as it was before
 * @param newId empty for Terminate
 * @param back where the browser goes with the answer: an address of ours, to which {@code told} or {@code not-told} is
 *     appended
 */
public record PendingNameIdChange(String realm, String partner, String nameId, Optional<String> newId, String back) {

  public Change change() {
    return newId.<Change>map(Change.NewId::new).orElseGet(Change.Terminate::new);
  }
}
