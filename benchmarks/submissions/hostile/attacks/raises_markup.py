"""Raises HTML and script, in the message and in the name of the error."""
MARKUP = "<script>alert('it runs')</script><img src=x onerror=alert(1)>{{ 7 * 7 }}{% raw %}[bold]"


def padding_mask(token_ids, padding_id=0):
    raise type(MARKUP, (Exception,), {})(MARKUP)
