package dev.gatehouse.common.page;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.saml.SamlWriter;
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
   * As {@link #render(EdgeRequest, Optional, Page)}, for what people see at each login: rendered once for all that the page
   * says itself, and then only these texts are filled in. The template uses them as they are ({@code th:text="${name}"},
   * {@code th:href="${name}"}): nothing about the page may depend on what they say.
   *
   * @param texts by their names in the model, letters alone; the page itself should be one of few
   */
  default EdgeReply render(EdgeRequest request, Optional<Realm> realm, Page page, Map<String, String> texts) {
    return render(request, realm, page.with(texts));
  }

  /** The language in which that person's pages are, as {@code de}: for texts that partners give in several ones. */
  static String language(EdgeRequest request) {
    return Language.preferred(request.headers().first("Accept-Language")).tag();
  }

  /**
   * The error page: a heading and a sentence from the bundle ({@code error.{kind}.title}, {@code .text}) and the reference
   * id. For requests that are no navigations the same as JSON: {@code {"error":kind,"reference":id}}.
   *
   * @param kind a key of the message bundle, for example {@code message-refused}, {@code directory-unavailable}
   */
  EdgeReply error(EdgeRequest request, Optional<Realm> realm, int status, String kind, String reference);

  /** As above, with the word under which audit and log have it. @param reason one of ours, nothing that somebody sent */
  default EdgeReply error(
      EdgeRequest request, Optional<Realm> realm, int status, String kind, String reference, String reason) {
    return error(request, realm, status, kind, reference);
  }

  /** The page that submits a SAML POST form by itself, with a button where there is no script. */
  default EdgeReply autoSubmit(EdgeRequest request, Optional<Realm> realm, SamlWriter.PostForm form) {
    return autoSubmit(request, realm, form, List.of());
  }

  /**
   * As {@link #autoSubmit(EdgeRequest, Optional, SamlWriter.PostForm)}, where a partner's page may frame it.
   *
   * @param framedBy origins, as in {@link Page.Policy}
   */
  EdgeReply autoSubmit(
      EdgeRequest request, Optional<Realm> realm, SamlWriter.PostForm form, List<String> framedBy);
}
