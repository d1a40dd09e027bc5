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
 * Searches for more entries than a server returns in one response (RFC 2696; Active Directory: 1,000). Nearly all searches find few
 * entries, and the control costs both sides time: it is sent only after the server has exceeded its limit. It is not critical: a
 * server that does not know it ignores it and exceeds its limit again.
 */
final class PagedSearch {

  /** Below Active Directory's MaxPageSize and OpenLDAP's default size limit. */
  private static final int PAGE = 500;

  private PagedSearch() {}

  /** The result of a search. */
  sealed interface Outcome {
    /** In the directory's order. */
    record All(List<SearchResultEntry> entries) implements Outcome {}

    /** There are more than {@code limit}, or more than the server returns. */
    record TooMany(String why) implements Outcome {}
  }

  /** @param limit the largest number of entries over all pages */
  static Outcome all(LDAPConnection connection, SearchRequest request, int limit) throws LDAPException {
    try {
      return limited(connection.search(request).getSearchEntries(), limit);
    } catch (LDAPSearchException e) {
      if (!e.getResultCode().equals(ResultCode.SIZE_LIMIT_EXCEEDED)) {
        throw e;
      }
    }
    return paged(connection, request, limit);
  }

  private static Outcome paged(LDAPConnection connection, SearchRequest request, int limit) throws LDAPException {
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
      if (all.size() > limit) {
        break;
      }
      SimplePagedResultsControl answer = SimplePagedResultsControl.get(page);
      cookie = answer == null || !answer.moreResultsToReturn() ? null : answer.getCookie();
    } while (cookie != null);
    return limited(all, limit);
  }

  private static Outcome limited(List<SearchResultEntry> found, int limit) {
    return found.size() > limit ? new Outcome.TooMany("more than " + limit) : new Outcome.All(found);
  }
}
