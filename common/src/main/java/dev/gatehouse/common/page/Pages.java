package dev.gatehouse.common.page;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.saml.message.SamlWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Renders pages in the person's language (Accept-Language: English or German) with the realm's brand and the security
 * headers: Content-Security-Policy, X-Content-Type-Options, Referrer-Policy, Cache-Control: no-store.
 */
public interface Pages {

  EdgeReply render(EdgeRequest request, Optional<Realm> realm, Page page);

  /**
   * As {@link #render(EdgeRequest, Optional, Page)}, for pages of every login. The page is rendered once, and later only these texts
   * are filled in. The template uses them unchanged ({@code th:text="${name}"}, {@code th:href="${name}"}); nothing else in the page
   * may depend on them.
   *
   * @param texts by their names in the model, letters only; there should be few different pages
   */
  default EdgeReply render(EdgeRequest request, Optional<Realm> realm, Page page, Map<String, String> texts) {
    return render(request, realm, page.with(texts));
  }

  /** Returns the language of that person's pages, as {@code de}, for texts that partners give in several languages. */
  static String language(EdgeRequest request) {
    return Language.preferred(request.headers().first("Accept-Language")).tag();
  }

  /**
   * Returns the error page: a heading and a sentence from the bundle ({@code error.{kind}.title}, {@code .text}) and the reference
   * id. For requests that are not navigations it is JSON: {@code {"error":kind,"reference":id}}.
   *
   * @param kind a key of the message bundle, for example {@code message-refused}, {@code directory-unavailable}
   */
  EdgeReply error(EdgeRequest request, Optional<Realm> realm, int status, String kind, String reference);

  /**
   * As above, with the reason code of the audit log and the log.
   *
   * @param reason a code of ours, never text from a request
   */
  default EdgeReply error(
      EdgeRequest request, Optional<Realm> realm, int status, String kind, String reference, String reason) {
    return error(request, realm, status, kind, reference);
  }

  /** Returns the page that submits a SAML POST form by itself, with a button for browsers without script. */
  default EdgeReply autoSubmit(EdgeRequest request, Optional<Realm> realm, SamlWriter.PostForm form) {
    return autoSubmit(request, realm, form, List.of());
  }

  /**
   * As {@link #autoSubmit(EdgeRequest, Optional, SamlWriter.PostForm)}, for a page that a partner's page may frame.
   *
   * @param framedBy origins, as in {@link Page.Policy}
   */
  EdgeReply autoSubmit(
      EdgeRequest request, Optional<Realm> realm, SamlWriter.PostForm form, List<String> framedBy);
}
