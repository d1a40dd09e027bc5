package dev.gatehouse.common.nameid;

import dev.gatehouse.common.saml.SamlMessage.ManageNameIdRequest.Change;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import java.util.Optional;

/**
 * A ManageNameIDRequest of ours whose answer is awaited by way of a browser.
 *
 * @param nameId the value as it was before
 * @param newId empty for Terminate
 * @param back where the browser goes with the answer: a path or address of ours
 */
public record SentChange(String realm, String partner, String nameId, Optional<String> newId, String back) {

  /** Where those of one side wait. @param name of the key space, which is claimed */
  public static SingleUseStore<SentChange> store(Stores stores, String name) {
    return stores.singleUse(name, new JsonCodec<>(SentChange.class));
  }

  public Change change() {
    return newId.<Change>map(Change.NewId::new).orElseGet(Change.Terminate::new);
  }
}
