package dev.gatehouse.idp.consent;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.http.SameOrigin;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.saml.metadata.UiInfo;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.idp.authn.PartnerLinks;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.session.DeviceKeys;
import dev.gatehouse.idp.session.IdpSessions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks the person whether attributes may be released to a partner. {@code pending} in the address names the pending
 * release. The form carries a token of this browser, this sign-on, this person and exactly these attributes, so that an
 * answer applies only to the question that was shown.
 */
public final class ConsentEndpoint implements Endpoint {

  private static final int LOGO_HEIGHT = 48;

  private final PendingReleases waiting;
  private final IdpSessions sessions;
  private final Consents consents;
  private final BrowserBinding browsers;
  private final AuditLog audit;
  private final Pages pages;
  private final Refusals refusals;

  /** @param waiting of every protocol */
  public ConsentEndpoint(
      List<PendingReleases> waiting,
      IdpSessions sessions,
      Consents consents,
      BrowserBinding browsers,
      AuditLog audit,
      Pages pages,
      Refusals refusals) {
    this.waiting = waiting.stream().reduce(PendingReleases::or).orElseThrow();
    this.sessions = sessions;
    this.consents = consents;
    this.browsers = browsers;
    this.audit = audit;
    this.pages = pages;
    this.refusals = refusals;
  }

  /** The address of the question. */
  public static String address(RealmRequest request, String key) {
    return request.here("consent") + "?pending=" + key;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    Optional<PendingRelease> release =
        request.http().queryParameters().one("pending").flatMap(key -> waiting.find(request, key));
    Optional<SessionToken> browser = browsers.find(request);
    if (release.isEmpty() && sessions.waitsForProof(request)) {
      String key = request.http().queryParameters().one("pending").orElse("");
      return EdgeReply.seeOther(DeviceKeys.page(request, address(request, key)));
    }
    if (release.isEmpty() || browser.isEmpty()) {
      return refusals.page(request, 400, "expired", "NO_SUCH_PENDING_CONSENT");
    }
    return request.http().isGet()
        ? show(request, release.get(), browser.get(), false)
        : answer(request, release.get(), browser.get());
  }

  private EdgeReply answer(RealmRequest request, PendingRelease release, SessionToken browser) {
    Parameters fields = request.http().formParameters();
    if (!SameOrigin.sent(request.http())) {
      return refusals.page(request, 403, "cross-site", "FOREIGN_ORIGIN");
    }
    if (!CsrfToken.isIn(request.http(), browser, form(release))) {
      return show(request, release, browser, true);
    }
    return switch (fields.one("answer").orElse("")) {
      case "allow" -> allow(request, release);
      case "deny" -> waiting.deny(request, release.key());
      default -> refusals.page(request, 400, "bad-request", "NO_SUCH_ANSWER");
    };
  }

  private EdgeReply allow(RealmRequest request, PendingRelease release) {
    audit.record(
        new AuditEvent.ConsentChanged(
            request.context(),
            release.person().value(),
            release.partner(),
            true,
            String.join(",", release.names())));
    consents.give(request.realm().name(), release.partner(), release.person(), release.names());
    return EdgeReply.seeOther(release.resume());
  }

  /**
   * @param again whether an answer arrived that does not belong to this question: it came from another site, or the
   *     question has changed since
   */
  private EdgeReply show(RealmRequest sent, PendingRelease release, SessionToken browser, boolean again) {
    RealmRequest request = sent.speaking(release.uiLocales());
    String language = Pages.language(request.http());
    Map<String, Object> model = new HashMap<>();
    model.put("action", address(request, release.key()));
    model.put("csrf", CsrfToken.of(browser, form(release)));
    model.put("again", again);
    model.put("name", release.displayName());
    model.put("items", release.items());
    model.put("worded", release.items().stream().anyMatch(item -> item.words().isPresent()));
    model.put("missing", String.join(", ", release.missing()));
    model.put("description", UiInfo.in(language, release.ui().descriptions()));
    links(release, language).into(model);
    return pages.render(
        request.http(), Optional.of(request.realm()), Page.of(again ? 403 : 200, "consent", model));
  }

  private static PartnerLinks links(PendingRelease release, String language) {
    PartnerLinks links = release.links();
    UiInfo ui = release.ui();
    return new PartnerLinks(
        links.logo().or(() -> logo(ui)),
        links.policy().or(() -> UiInfo.in(language, ui.privacyUrls())),
        links.terms(),
        links.home().or(() -> UiInfo.in(language, ui.informationUrls())));
  }

  /**
   * A logo contained in the metadata itself: an image loaded from elsewhere would tell its server who is about to
   * consent.
   */
  private static Optional<String> logo(UiInfo ui) {
    return ui.logos().stream()
        .filter(logo -> logo.url().startsWith("data:image/"))
        .min(java.util.Comparator.comparingInt(logo -> Math.abs(logo.height() - LOGO_HEIGHT)))
        .map(UiInfo.Logo::url);
  }

  private static String form(PendingRelease release) {
    return String.join(
        "\n", "consent", release.key(), release.person().value(), String.join("\n", release.names()));
  }
}
