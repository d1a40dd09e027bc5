package dev.gatehouse.gateway.browser;

import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;

/** A passkey's authenticator at somebody's Chromium, whose owner agrees to everything (DevTools protocol, domain WebAuthn). */
public final class VirtualAuthenticator {

  /** What it is. */
  public enum Kind {
    /** Of the device itself: knows its owner and keeps discoverable passkeys. */
    INTERNAL("internal", true),
    /** A key on USB without a sensor: knows that somebody touches it, and keeps nothing. */
    USB("usb", false);

    private final String transport;
    private final boolean verifies;

    Kind(String transport, boolean verifies) {
      this.transport = transport;
      this.verifies = verifies;
    }
  }

  private final CDPSession devtools;
  private final Kind kind;
  private String id;

  private VirtualAuthenticator(CDPSession devtools, Kind kind) {
    this.devtools = devtools;
    this.kind = kind;
    this.id = add();
  }

  /** Plugs a new one in. */
  public static VirtualAuthenticator plugIn(Person person, Kind kind) {
    CDPSession devtools = person.page().context().newCDPSession(person.page());
    devtools.send("WebAuthn.enable");
    return new VirtualAuthenticator(devtools, kind);
  }

  private String add() {
    JsonObject options = new JsonObject();
    options.addProperty("protocol", "ctap2");
    options.addProperty("transport", kind.transport);
    options.addProperty("hasResidentKey", kind.verifies);
    options.addProperty("hasUserVerification", kind.verifies);
    options.addProperty("isUserVerified", kind.verifies);
    options.addProperty("automaticPresenceSimulation", true);
    JsonObject arguments = new JsonObject();
    arguments.add("options", options);
    return devtools.send("WebAuthn.addVirtualAuthenticator", arguments).get("authenticatorId").getAsString();
  }

  /** Pulls it out; returns the only passkey that it has. */
  public JsonObject pullOut() {
    JsonObject credential = devtools.send("WebAuthn.getCredentials", named()).getAsJsonArray("credentials").get(0).getAsJsonObject();
    devtools.send("WebAuthn.removeVirtualAuthenticator", named());
    return credential;
  }

  /** Plugs it in again, with that passkey. */
  public void plugInAgain(JsonObject credential) {
    id = add();
    JsonObject arguments = named();
    arguments.add("credential", credential);
    devtools.send("WebAuthn.addCredential", arguments);
  }

  private JsonObject named() {
    JsonObject arguments = new JsonObject();
    arguments.addProperty("authenticatorId", id);
    return arguments;
  }
}
