package dev.gatehouse.gateway.console;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.common.saml.metadata.MetadataInspector;
import dev.gatehouse.common.saml.metadata.MetadataOutline;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.gateway.admin.revision.NewEntries.NewEntry;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the entries of the configuration from what was typed into the wizard. What the configuration checks is not checked here. */
final class AppEntries {

  /** The result: the entry, or what is wrong with a field that the configuration cannot see. */
  sealed interface Made {
    record Entry(String id, NewEntry entry) implements Made {}

    /** @param problem a key of the texts below {@code console.add.wrong}; {@code detail} is a sentence of ours */
    record Wrong(String field, String problem, String detail) implements Made {}
  }

  private final MetadataInspector inspector = new MetadataInspector();
  private final MetadataCodec codec;
  private final InstantSource time;

  AppEntries(MetadataCodec codec, InstantSource time) {
    this.codec = codec;
    this.time = time;
  }

  /** @param secret the secret of the client, if the app has one */
  Made entry(String realm, AppForm form, String secret) {
    return switch (form.kind()) {
      case SAML -> partner(realm, form);
      case OPENID -> client(realm, form, secret);
      case PROXIED -> route(realm, form, proxied(form));
      case FORM_FILL -> route(realm, form, formFill(form));
    };
  }

  private Made partner(String realm, AppForm form) {
    Optional<String> pasted = form.field("metadata");
    Optional<String> entityId = form.field("entityId").or(() -> pasted.flatMap(this::entityId));
    if (entityId.isEmpty()) {
      return new Made.Wrong("entityId", pasted.isPresent() ? "not-metadata" : "entity-id", "");
    }
    Optional<String> acs = form.field("acs");
    if (pasted.isEmpty() && acs.filter(AppEntries::isSafeUrl).isEmpty()) {
      return new Made.Wrong("acs", "acs", "");
    }
    String document = pasted.orElseGet(() -> metadata(entityId.get(), acs.orElseThrow()));
    Result<PartnerMetadata, SamlRefusal> read =
        codec.read(document.getBytes(StandardCharsets.UTF_8), entityId.get(), Optional.empty(), time.instant());
    if (read instanceof Result.Refused(SamlRefusal refusal)) {
      return new Made.Wrong("metadata", "metadata", refusal.reason() + ": " + refusal.detail());
    }
    String path = "partners/" + AppForm.fileName(realm, entityId.get()) + ".xml";
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("entityId", entityId.get());
    form.field("displayName").ifPresent(name -> value.put("displayName", name));
    value.put("metadata", "../" + path);
    if (pasted.isEmpty() && acs.filter(AppEntries::isHere).isPresent()) {
      // The administrator has typed it in; of the metadata of somebody else it would not count.
      value.put("plainHttp", true);
    }
    put(value, "release", form.list("release"));
    form.field("nameId").ifPresent(format -> value.put("nameId", format));
    Map<String, byte[]> files = Map.of(path, document.getBytes(StandardCharsets.UTF_8));
    return new Made.Entry(entityId.get(), new NewEntry(realm, form.kind().list(), value, files, Map.of()));
  }

  /** Returns the first entity of the metadata; empty if they cannot be read. */
  private Optional<String> entityId(String metadata) {
    return inspector.outline(metadata.getBytes(StandardCharsets.UTF_8), Optional.empty(), Optional.empty())
            instanceof Result.Accepted<MetadataOutline, SamlRefusal>(MetadataOutline outline)
        ? outline.entities().stream().map(MetadataOutline.Entity::entityId).filter(id -> !id.isBlank()).findFirst()
        : Optional.empty();
  }

  /** Returns the least that describes a service provider; it is unsigned, as what an administrator types in needs to be. */
  private static String metadata(String entityId, String acs) {
    return """
        <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="%s">
          <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
            <AssertionConsumerService index="0" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="%s"/>
          </SPSSODescriptor>
        </EntityDescriptor>
        """
        .formatted(attribute(entityId), attribute(acs));
  }

  private static String attribute(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }

  /** Assertions travel to an https address, or to this machine. */
  private static boolean isSafeUrl(String text) {
    try {
      URI url = new URI(text);
      return url.getHost() != null
          && ("https".equalsIgnoreCase(url.getScheme()) || "http".equalsIgnoreCase(url.getScheme()) && Loopback.isName(url.getHost()));
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static boolean isHere(String url) {
    return Loopback.isName(URI.create(url).getHost());
  }

  private static Made client(String realm, AppForm form, String secret) {
    String id = form.field("clientId").orElse("");
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("clientId", id);
    form.field("displayName").ifPresent(name -> value.put("displayName", name));
    Map<String, byte[]> secrets = Map.of();
    if (!form.is("type", "public")) {
      String name = AppForm.fileName(realm, id);
      value.put("secret", Map.of("secret", name));
      secrets = Map.of(name, secret.getBytes(StandardCharsets.US_ASCII));
    }
    put(value, "redirectUris", form.list("redirectUris"));
    put(value, "scopes", form.list("scopes"));
    return new Made.Entry(id, new NewEntry(realm, form.kind().list(), value, Map.of(), secrets));
  }

  private static Made route(String realm, AppForm form, Map<String, Object> more) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("name", form.field("name").orElse(""));
    put(value, "hosts", form.list("host"));
    value.put("path", form.field("path").orElse("/"));
    value.putAll(more);
    return new Made.Entry(form.field("name").orElse(""), new NewEntry(realm, form.kind().list(), value, Map.of(), Map.of()));
  }

  private static Map<String, Object> proxied(AppForm form) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("upstream", form.is("server", "proxy") ? "none" : form.field("upstream").orElse(""));
    if (form.is("access", "public")) {
      value.put("access", "public");
    }
    put(value, "roles", form.list("roles"));
    return value;
  }

  private static Map<String, Object> formFill(AppForm form) {
    boolean isOwn = form.is("credentials", "own");
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(form.field("userField").orElse(""), isOwn ? "secret:username" : "user");
    fields.put(form.field("passwordField").orElse(""), isOwn ? "secret:password" : "password");
    Map<String, Object> fill = new LinkedHashMap<>();
    fill.put("form", Map.of("path", form.field("formPath").orElse("")));
    fill.put("fields", fields);
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("upstream", form.field("upstream").orElse(""));
    value.put("formFill", fill);
    return value;
  }

  private static void put(Map<String, Object> value, String key, List<String> list) {
    if (!list.isEmpty()) {
      value.put(key, list);
    }
  }
}
