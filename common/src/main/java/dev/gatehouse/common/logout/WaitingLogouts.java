package dev.gatehouse.common.logout;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.store.DueStore.Work;
import java.util.List;

/** Notices that wait, as administrators see them. */
public final class WaitingLogouts implements AdminResource.Logouts {

  private final String kind;
  private final LogoutNotices notices;

  /** @param kind {@code idp} or {@code app}: who sends them */
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
  public List<AdminResource.LogoutView> page(String realm, String after, int most) {
    return notices.page(realm, after, most).stream().map(this::view).toList();
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
