package dev.gatehouse.sp.acs;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.login.IdentityProviderList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The form on which a person proves which local account is theirs. */
final class LinkPage {

  private final IdentityProviderList providers;
  private final Pages pages;

  LinkPage(IdentityProviderList providers, Pages pages) {
    this.providers = providers;
    this.pages = pages;
  }

  EdgeReply form(
      SpRealm realm,
      EdgeRequest request,
      String key,
      PendingLink link,
      int status,
      String name,
      Optional<String> wrong) {
    Map<String, Object> model = new LinkedHashMap<>();
    model.put("action", LinkEndpoint.PATH);
    model.put("key", key);
    model.put("csrf", Linking.csrf(realm, request, key));
    model.put(
        "provider",
        providers.name(realm, Pages.language(request), link.assertion().identityProvider()));
    model.put("remote", remoteName(link.assertion()));
    model.put("name", name);
    model.put("wrong", wrong);
    return pages.render(request, Optional.of(realm.realm()), Page.of(status, "link", model));
  }

  /** The name of the remote account, in words that the person can recognise, so that they see what they link. */
  private static Optional<String> remoteName(VerifiedAssertion assertion) {
    return Stream.of("displayName", "cn", "eduPersonPrincipalName", "mail", "uid")
        .map(attribute -> assertion.asserted().attributes().getOrDefault(attribute, List.of()))
        .flatMap(List::stream)
        .findFirst();
  }
}
