package dev.gatehouse.common.directory;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A search for more entries than a server gives in one answer (RFC 2696; Active Directory: 1,000). A server that does not know the
 * control ignores it and answers with all it gives: it is not critical.
 */
final class PagedSearch {

  /** Below Active Directory's MaxPageSize and OpenLDAP's default size limit. */
  private static final int PAGE = 500;

  private PagedSearch() {}

  /** What a search found. */
  sealed interface Outcome {
    /** In the directory's order. */
    record All(List<SearchResultEntry> entries) implements Outcome {}

    /** More than {@code most}, or than the server gives. */
    record TooMany(String why) implements Outcome {}
  }

  /** @param most entries, over all pages */
  static Outcome all(LDAPConnection connection, SearchRequest request, int most) throws LDAPException {
    List<SearchResultEntry> all = new ArrayList<>();
    @Nullable ASN1OctetString cookie = null;
    do {
      request.setControls(new SimplePagedResultsControl(PAGE, cookie, false));
      SearchResult page;
      try {
        page = connection.search(request);
      } catch (LDAPSearchException e) {
        if (e.getResultCode().equals(ResultCode.SIZE_LIMIT_EXCEEDED)) {
          return new Outcome.TooMany("more than the server gives to the service account: raise its size limit there");
        }
        throw e;
      }
      all.addAll(page.getSearchEntries());
      if (all.size() > most) {
        return new Outcome.TooMany("more than " + most);
      }
      SimplePagedResultsControl answer = SimplePagedResultsControl.get(page);
      cookie = answer == null || !answer.moreResultsToReturn() ? null : answer.getCookie();
    } while (cookie != null);
    return new Outcome.All(all);
  }
}
