package dev.gatehouse.common.logout;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.store.DueStore.Work;
import java.util.List;

/** The pending logout notices for administrators. */
public final class WaitingLogouts implements AdminResource.Logouts {

  private final String kind;
  private final LogoutNotices notices;

  /** @param kind {@code idp} or {@code app}: the sender */
  public WaitingLogouts(String kind, LogoutNotices notices) {
    this.kind = kind;
    this.notices = notices;
  }

  @Override
  public String kind() {
    return kind;
  }

  @Override
  public long count(String realm) {
    return notices.count(realm);
  }

  @Override
  public List<AdminResource.LogoutView> page(String realm, String after, int limit) {
    return notices.page(realm, after, limit).stream().map(this::view).toList();
  }

  private AdminResource.LogoutView view(Work<LogoutNotice> work) {
    LogoutNotice notice = work.value();
    return new AdminResource.LogoutView(
        kind,
        work.key(),
        notice.partner(),
        notice.person(),
        notice.since(),
        notice.tries(),
        notice.problem().map(LogoutNotice.Problem::text),
        work.due(),
        notice.giveUpAt());
  }
}
